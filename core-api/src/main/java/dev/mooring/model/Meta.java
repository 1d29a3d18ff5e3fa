package dev.mooring.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What every object carries.
 *
 * @param key namespace and name
 * @param uid the uid; distinguishes an object from its successor of the same name
 * @param resourceVersion the version as an integer (Kubernetes 1.35+ promises that versions of one
 *     resource compare so); 0 if unknown
 * @param created creation time in seconds since the epoch, 0 if unknown
 * @param deleted deletionTimestamp in seconds since the epoch, 0 if the object is not being deleted
 * @param labels labels; in caches and in answers to writes those that decisions about the kind read
 * @param annotations annotations; likewise, so that a patch must never hold all of them
 * @param finalizers finalizers in their order
 * @param controller uid of the controlling owner (the first owner reference with {@code controller:
 *     true}), {@link Uid#NONE} for none; not kept of kinds whose owner no decision reads
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

  /** Of an object that nobody owns. */
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

  /** Of an object of which no more is known than this: to speak of it, or to look it up. */
  public static Meta named(ObjectKey key, Uid uid) {
    return new Meta(key, uid, 0, 0, 0, Map.of(), Map.of(), List.of());
  }

  /** The same with the labels and annotations of another. */
  public Meta described(Meta by) {
    return new Meta(
        key,
        uid,
        resourceVersion,
        created,
        deleted,
        by.labels,
        by.annotations,
        finalizers,
        controller);
  }

  /** The same in no version: equal to another's, if nothing but writes lies between the two. */
  public Meta unversioned() {
    return new Meta(key, uid, 0, created, deleted, labels, annotations, finalizers, controller);
  }

  /** The same with these finalizers. */
  public Meta withFinalizers(List<String> others) {
    return new Meta(
        key, uid, resourceVersion, created, deleted, labels, annotations, others, controller);
  }

  /** The same without that annotation. */
  public Meta without(String annotation) {
    Map<String, String> others = new HashMap<>(annotations);
    others.remove(annotation);
    return new Meta(
        key, uid, resourceVersion, created, deleted, labels, others, finalizers, controller);
  }

  /** The object's name. */
  public String name() {
    return key.name();
  }

  /** Whether a deletion has been asked for. */
  public boolean isBeingDeleted() {
    return deleted != 0;
  }

  /** Whether the annotation is there, whatever its value. */
  public boolean has(String annotation) {
    return annotations.containsKey(annotation);
  }

  /** The annotation's value, or "" where it is absent. */
  public String annotation(String name) {
    return annotations.getOrDefault(name, "");
  }

  /** The finalizers with that one, at the end if it is not there yet. */
  public List<String> finalizersWith(String finalizer) {
    return finalizers.contains(finalizer)
        ? finalizers
        : Stream.concat(finalizers.stream(), Stream.of(finalizer)).toList();
  }

  /** The finalizers without that one; the others keep their order. */
  public List<String> finalizersWithout(String finalizer) {
    return finalizers.stream().filter(f -> !f.equals(finalizer)).toList();
  }
}
