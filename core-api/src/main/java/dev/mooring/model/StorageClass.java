package dev.mooring.model;

import java.util.List;
import java.util.Map;

/**
 * A StorageClass.
 *
 * @param meta name, version, annotations (the default-class mark)
 * @param provisioner who makes volumes of the class
 * @param parameters what the provisioner is told
 * @param reclaimPolicy policy of the volumes made
 * @param mountOptions mount options of the volumes made
 * @param binding when a claim is bound
 * @param allowsExpansion whether claims may grow
 * @param allowedTopologies where volumes may be made: each term maps label keys to permitted
 *     values; empty means anywhere
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

  /** When a claim of the class is bound. */
  public enum Binding {
    IMMEDIATE,
    WAIT_FOR_FIRST_CONSUMER,
    /**
     * The field is missing: upstream treats it as an error, the API server never lets it happen.
     */
    UNSET
  }

  private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final String BETA_DEFAULT = "storageclass.beta.kubernetes.io/is-default-class";

  /** Whether claims without a class get this one. */
  public boolean isDefault() {
    return meta.annotation(DEFAULT).equals("true") || meta.annotation(BETA_DEFAULT).equals("true");
  }
}
