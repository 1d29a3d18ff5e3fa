package bad.mooring.csi.execute;

/** R14: an inner class of a controller. */
public final class BadDriver {}
