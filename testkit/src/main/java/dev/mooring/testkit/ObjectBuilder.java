package dev.mooring.testkit;

import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all builders have: the metadata. An object has a uid of its own, which follows from its
 * name, version 1, and nothing else, unless said otherwise. Not thread-safe.
 *
 * @param <T> what is built
 * @param <B> the builder
 */
public abstract class ObjectBuilder<T extends Resource, B extends ObjectBuilder<T, B>> {
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();
  private final List<String> finalizers = new ArrayList<>();
  private ObjectKey key;
  private Uid uid;
  private long version = 1;
  private long created;
  private long deleted;
  private Uid controller = Uid.NONE;

  ObjectBuilder(ObjectKey key) {
    this.key = key;
    this.uid = Uid.of("uid-of-" + key);
  }

  ObjectBuilder(Meta from) {
    this(from.key());
    copy(from);
  }

  private void copy(Meta from) {
    key = from.key();
    uid = from.uid();
    version = from.resourceVersion();
    created = from.created();
    deleted = from.deleted();
    controller = from.controller();
    labels.clear();
    labels.putAll(from.labels());
    annotations.clear();
    annotations.putAll(from.annotations());
    finalizers.clear();
    finalizers.addAll(from.finalizers());
  }

  abstract B self();

  /** The object. */
  public abstract T build();

  /** These metadata, whatever was said before. */
  public B meta(Meta from) {
    copy(from);
    return self();
  }

  /** Another name; its uid stays as it is. */
  public B key(ObjectKey other) {
    this.key = other;
    return self();
  }

  /** Its uid. */
  public B uid(String text) {
    return uid(Uid.of(text));
  }

  /** Its uid. */
  public B uid(Uid other) {
    this.uid = other;
    return self();
  }

  /** Its resourceVersion. */
  public B version(long number) {
    this.version = number;
    return self();
  }

  /** When it was created, in seconds since the epoch. */
  public B created(long seconds) {
    this.created = seconds;
    return self();
  }

  /** Since when it is being deleted, in seconds since the epoch. */
  public B deleted(long seconds) {
    this.deleted = seconds;
    return self();
  }

  /** It is being deleted; since when does not matter. */
  public B deleting() {
    return deleted(Math.max(created, 1));
  }

  /** A label more. */
  public B label(String name, String value) {
    labels.put(name, value);
    return self();
  }

  /** An annotation more. */
  public B annotation(String name, String value) {
    annotations.put(name, value);
    return self();
  }

  /** A finalizer more. */
  public B finalizer(String name) {
    finalizers.add(name);
    return self();
  }

  /** These labels, and no others. */
  public B labels(Map<String, String> all) {
    labels.clear();
    labels.putAll(all);
    return self();
  }

  /** These annotations, and no others. */
  public B annotations(Map<String, String> all) {
    annotations.clear();
    annotations.putAll(all);
    return self();
  }

  /** These finalizers, and no others. */
  public B finalizers(List<String> all) {
    finalizers.clear();
    finalizers.addAll(all);
    return self();
  }

  /** These finalizers, and no others. */
  public B finalizers(String... all) {
    return finalizers(List.of(all));
  }

  /** The uid of who controls it. */
  public B controller(String text) {
    return controller(Uid.of(text));
  }

  /** The uid of who controls it. */
  public B controller(Uid other) {
    this.controller = other;
    return self();
  }

  /** The metadata alone. */
  public Meta meta() {
    return new Meta(
        key,
        uid,
        version,
        created,
        deleted,
        Map.copyOf(labels),
        Map.copyOf(annotations),
        List.copyOf(finalizers),
        controller);
  }
}
