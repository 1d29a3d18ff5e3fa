package bad.mooring.binder.decide;

/** R6: reduces Compat to a boolean. */
public record BadPolicy(boolean likeKubernetes) {}
