package bad.mooring.populator.execute;

/** R14: an inner class of a controller. */
public final class BadPods {}
