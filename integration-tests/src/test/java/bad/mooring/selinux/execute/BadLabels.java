package bad.mooring.selinux.execute;

/** R14: an inner class of a controller. */
public final class BadLabels {}
