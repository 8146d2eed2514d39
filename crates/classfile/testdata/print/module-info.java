// Compiled to the class file beside it by javac 17, with an empty interface in each package.
open module some.app {
    requires transitive java.sql;
    requires static java.desktop;
    exports some.app.api;
    exports some.app.inner to java.sql, java.xml;
    uses java.sql.Driver;
    provides java.lang.Runnable with some.app.api.Main;
}
