package bad.mooring.binder.world;

/** R14: a fifth package. */
public final class BadWorld {}
