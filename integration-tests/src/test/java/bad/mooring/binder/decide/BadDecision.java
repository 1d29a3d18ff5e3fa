package bad.mooring.binder.decide;

/** R9: an open set of decisions. */
public interface BadDecision {}
