package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.codec.Schema;
import java.util.List;

/**
 * A resource that the server has.
 *
 * @param group API group, "" for core
 * @param version its version
 * @param plural its name in URLs
 * @param singular its name for people
 * @param kind its kind
 * @param namespaced whether objects live in namespaces
 * @param shortNames kubectl's abbreviations
 * @param subresources status, binding…
 * @param message its message in the schema
 * @param traits particular conduct
 * @param rules defaults, validation, columns
 */
public record ResourceType(
    String group,
    String version,
    String plural,
    String singular,
    String kind,
    boolean namespaced,
    List<String> shortNames,
    List<String> subresources,
    String message,
    Traits traits,
    Rules rules) {

  /**
   * Conduct that differs between resources.
   *
   * @param updateNeedsVersion whether a PUT must carry the resourceVersion
   * @param createOnUpdate whether a PUT of what is not there creates it
   * @param deleteReturnsObject whether a delete answers with the object instead of a Status
   * @param protectionFinalizer the finalizer that admission adds, "" for none
   */
  public record Traits(
      boolean updateNeedsVersion,
      boolean createOnUpdate,
      boolean deleteReturnsObject,
      String protectionFinalizer) {}

  /** group/version, or version. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** plural.group, or plural: how messages name it. */
  public String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** Its message. */
  public Schema.Message schema() {
    return Schema.message(message);
  }

  /** Whether there is a status subresource. */
  public boolean hasStatus() {
    return subresources.contains("status");
  }
}
