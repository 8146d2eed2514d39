package figures;

import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Looks at documents, which only the parsers of the JDK can make. */
public final class Papers {
    private Papers() {}

    public static String describe(Document paper) {
        return paper.getDocumentElement() == null ? "nothing written" : "written";
    }

    public static String name(Element part) {
        return part.getTagName().length() > 1 ? "a word" : "a letter";
    }
}
