package bad.mooring.snapshots.observe;

/** R14: an inner class of a controller. */
public final class BadContents {}
