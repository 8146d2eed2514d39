import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Code with every table that holds offsets. */
public class Tables {
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Mark {}

    static <T> int all(Object given, int value) {
        int sum = 0;
        for (int number = 0; number < value; number++) {
            @Mark String text = (@Mark String) given;
            if (given instanceof @Mark CharSequence) {
                sum += new @Mark StringBuilder(text).length();
            }
            try {
                sum += 10 / number;
            } catch (@Mark ArithmeticException error) {
                sum--;
            }
        }
        return sum;
    }
}
