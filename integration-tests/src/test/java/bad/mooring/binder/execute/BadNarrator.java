package bad.mooring.binder.execute;

/** R12: a word that only we have. */
public class BadNarrator {}
