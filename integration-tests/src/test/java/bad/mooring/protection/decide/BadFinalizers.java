package bad.mooring.protection.decide;

/** R14: an inner class of a controller. */
public final class BadFinalizers {}
