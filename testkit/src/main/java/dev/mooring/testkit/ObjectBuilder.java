package dev.mooring.testkit;

import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Base of all builders: sets metadata. By default an object has version 1 and a uid derived from
 * its name. Not thread-safe.
 *
 * @param <T> type of the object
 * @param <B> type of the builder
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

  private void copy(Meta original) {
    key = original.key();
    uid = original.uid();
    version = original.resourceVersion();
    created = original.created();
    deleted = original.deleted();
    controller = original.controller();
    labels.clear();
    labels.putAll(original.labels());
    annotations.clear();
    annotations.putAll(original.annotations());
    finalizers.clear();
    finalizers.addAll(original.finalizers());
  }

  final B copyOf(T original) {
    copy(original.meta());
    try {
      for (RecordComponent component : original.getClass().getRecordComponents()) {
        if (!component.getName().equals("meta")) {
          Field field = getClass().getDeclaredField(component.getName());
          field.setAccessible(true);
          field.set(this, component.getAccessor().invoke(original));
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a builder has a field for each component", e);
    }
    return self();
  }

  @SuppressWarnings("unchecked") // B is the type of this builder
  private B self() {
    return (B) this;
  }

  public abstract T build();

  public B meta(Meta original) {
    copy(original);
    return self();
  }

  public B key(ObjectKey newKey) {
    this.key = newKey;
    return self();
  }

  public B uid(String text) {
    return uid(Uid.of(text));
  }

  public B uid(Uid newUid) {
    this.uid = newUid;
    return self();
  }

  public B version(long number) {
    this.version = number;
    return self();
  }

  public B created(long seconds) {
    this.created = seconds;
    return self();
  }

  public B deleted(long seconds) {
    this.deleted = seconds;
    return self();
  }

  public B deleting() {
    return deleted(Math.max(created, 1));
  }

  public B label(String name, String value) {
    labels.put(name, value);
    return self();
  }

  public B annotation(String name, String value) {
    annotations.put(name, value);
    return self();
  }

  public B finalizer(String name) {
    finalizers.add(name);
    return self();
  }

  public B labels(Map<String, String> values) {
    labels.clear();
    labels.putAll(values);
    return self();
  }

  public B annotations(Map<String, String> values) {
    annotations.clear();
    annotations.putAll(values);
    return self();
  }

  public B finalizers(List<String> values) {
    finalizers.clear();
    finalizers.addAll(values);
    return self();
  }

  public B finalizers(String... values) {
    return finalizers(List.of(values));
  }

  public B controller(String text) {
    return controller(Uid.of(text));
  }

  public B controller(Uid newController) {
    this.controller = newController;
    return self();
  }

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
