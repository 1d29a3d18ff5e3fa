package dev.mooring.testkit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an object retains: the elements of each map, collection and array reachable through
 * fields of our classes, by path of fields. A count that grows with each life of a deleted object
 * is a leak.
 */
public final class RetainedElements {
  private record Reference(Object object, String path) {}

  private final Set<Class<?>> skippedClasses;
  private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Reference> pending = new ArrayDeque<>();
  private static final int MAX_ATTEMPTS = 1000;

  private final SortedMap<String, Integer> sizes = new TreeMap<>();

  private RetainedElements(Set<Class<?>> skippedClasses) {
    this.skippedClasses = skippedClasses;
  }

  /**
   * Counts the retained elements.
   *
   * @param skippedClasses classes to skip because they retain elements for others
   * @return counts by path, at a moment without concurrent changes
   */
  public static SortedMap<String, Integer> countFrom(Object root, Class<?>... skippedClasses) {
    for (int attempt = 1; ; attempt++) {
      try {
        return countOnce(root, skippedClasses);
      } catch (ConcurrentModificationException changing) {
        if (attempt == MAX_ATTEMPTS) {
          throw changing; // changes do not stop
        }
      }
    }
  }

  private static SortedMap<String, Integer> countOnce(Object root, Class<?>... skippedClasses) {
    RetainedElements retained = new RetainedElements(Set.of(skippedClasses));
    retained.visit(root, root.getClass().getSimpleName());
    while (!retained.pending.isEmpty()) {
      retained.expand(retained.pending.removeFirst());
    }
    return retained.sizes;
  }

  private void visit(@Nullable Object object, String path) {
    if (object != null && !skippedClasses.contains(object.getClass()) && isOfInterest(object)) {
      if (visited.add(object)) {
        pending.addLast(new Reference(object, path));
      }
    }
  }

  private static boolean isOfInterest(Object object) {
    return object instanceof Map
        || object instanceof Collection
        || object instanceof Optional
        || object instanceof Object[]
        || isOurs(object.getClass());
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("dev.mooring.") && !type.isHidden();
  }

  private void expand(Reference step) {
    switch (step.object()) {
      case Map<?, ?> map -> {
        List<Object> keys = new ArrayList<>();
        map.keySet().forEach(keys::add); // unlike a copy, this detects concurrent changes
        addElements(keys, step.path() + "{}");
        map.values().forEach(value -> visit(value, step.path() + "[]"));
      }
      case Collection<?> elements -> addElements(elements, step.path());
      case Object[] elements -> addElements(Arrays.asList(elements), step.path());
      case Optional<?> optional -> optional.ifPresent(value -> visit(value, step.path()));
      default -> visitFields(step);
    }
  }

  private void addElements(Collection<?> elements, String path) {
    sizes.merge(path, elements.size(), Integer::sum);
    elements.forEach(element -> visit(element, path + "[]"));
  }

  private void visitFields(Reference step) {
    for (Class<?> type = step.object().getClass();
        type != null && isOurs(type);
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          visit(readField(field, step.object()), step.path() + "." + field.getName());
        }
      }
    }
  }

  private static @Nullable Object readField(Field field, Object object) {
    field.setAccessible(true);
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
