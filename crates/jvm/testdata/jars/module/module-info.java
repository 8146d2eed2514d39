module jarred.module {
}
