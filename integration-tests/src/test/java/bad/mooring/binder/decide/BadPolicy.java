package bad.mooring.binder.decide;

/**
 * R6: Compat as a yes or no.
 *
 * @param likeKubernetes whether it is Kubernetes'
 */
public record BadPolicy(boolean likeKubernetes) {}
