package dev.mooring.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Metadata of an object.
 *
 * @param key namespace and name
 * @param uid uid, which distinguishes an object from a later one of the same name
 * @param resourceVersion version as an integer; 0 if unknown. Since 1.35, Kubernetes guarantees
 *     that the versions of one resource are ordered integers
 * @param created creation time in seconds since the epoch; 0 if unknown
 * @param deleted deletionTimestamp in seconds since the epoch; 0 if the object is not being deleted
 * @param labels labels. Caches and results of writes contain only labels that decisions about this
 *     kind use
 * @param annotations annotations, with the same limitation. Therefore a patch must never replace
 *     all annotations
 * @param finalizers finalizers in their order
 * @param controller uid of the controlling owner (the first owner reference with {@code controller:
 *     true}); {@link Uid#NONE} if none, or if no decision uses the owner of this kind
 */
public record Meta(
    ObjectKey key,
    Uid uid,
    long resourceVersion,
    long created,
    long deleted,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> finalizers,
    Uid controller) {

  public Meta(
      ObjectKey key,
      Uid uid,
      long resourceVersion,
      long created,
      long deleted,
      Map<String, String> labels,
      Map<String, String> annotations,
      List<String> finalizers) {
    this(key, uid, resourceVersion, created, deleted, labels, annotations, finalizers, Uid.NONE);
  }

  public static Meta of(ObjectKey key, Uid uid) {
    return new Meta(key, uid, 0, 0, 0, Map.of(), Map.of(), List.of());
  }

  public Meta withDescriptionOf(Meta source) {
    return new Meta(
        key,
        uid,
        resourceVersion,
        created,
        deleted,
        source.labels,
        source.annotations,
        finalizers,
        controller);
  }

  /** Returns a copy without a version, to compare objects independently of writes. */
  public Meta withoutVersion() {
    return new Meta(key, uid, 0, created, deleted, labels, annotations, finalizers, controller);
  }

  public Meta withFinalizers(List<String> newFinalizers) {
    return new Meta(
        key,
        uid,
        resourceVersion,
        created,
        deleted,
        labels,
        annotations,
        newFinalizers,
        controller);
  }

  public Meta withoutAnnotation(String annotation) {
    Map<String, String> remaining = new HashMap<>(annotations);
    remaining.remove(annotation);
    return new Meta(
        key, uid, resourceVersion, created, deleted, labels, remaining, finalizers, controller);
  }

  public String name() {
    return key.name();
  }

  public boolean isBeingDeleted() {
    return deleted != 0;
  }

  public boolean hasAnnotation(String annotation) {
    return annotations.containsKey(annotation);
  }

  public String annotation(String name) {
    return annotations.getOrDefault(name, "");
  }

  public List<String> finalizersWith(String finalizer) {
    return finalizers.contains(finalizer)
        ? finalizers
        : Stream.concat(finalizers.stream(), Stream.of(finalizer)).toList();
  }

  public List<String> finalizersWithout(String finalizer) {
    return finalizers.stream().filter(f -> !f.equals(finalizer)).toList();
  }
}
