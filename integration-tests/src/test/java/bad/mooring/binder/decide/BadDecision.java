package bad.mooring.binder.decide;

/** R9: anybody may add an answer. */
public interface BadDecision {}
