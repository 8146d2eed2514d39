//! Which of k candidates becomes the next test. Filled method by method; see each file.
