package dev.mooring.model;

import java.util.List;
import java.util.Map;

/**
 * A StorageClass.
 *
 * @param meta name, version, annotations (of a default class)
 * @param provisioner name of the provisioner
 * @param parameters parameters for the provisioner
 * @param reclaimPolicy reclaim policy of provisioned volumes
 * @param mountOptions mount options of provisioned volumes
 * @param binding binding mode
 * @param allowsExpansion whether claims may be expanded
 * @param allowedTopologies allowed locations: each term maps label keys to permitted values; empty
 *     for anywhere
 */
public record StorageClass(
    Meta meta,
    String provisioner,
    Map<String, String> parameters,
    ReclaimPolicy reclaimPolicy,
    List<String> mountOptions,
    Binding binding,
    boolean allowsExpansion,
    List<Map<String, List<String>>> allowedTopologies)
    implements Resource {

  public enum Binding {
    IMMEDIATE,
    WAIT_FOR_FIRST_CONSUMER,
    /** The field is absent. Kubernetes treats it as an error; the API server prevents it. */
    UNSET
  }

  private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final String BETA_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class";

  public StorageClass withAllowedTopologies(List<Map<String, List<String>>> terms) {
    return new StorageClass(
        meta,
        provisioner,
        parameters,
        reclaimPolicy,
        mountOptions,
        binding,
        allowsExpansion,
        terms);
  }

  public boolean isDefault() {
    return meta.annotation(DEFAULT).equals("true") || meta.annotation(BETA_DEFAULT).equals("true");
  }
}
