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
  private record Step(Object object, String path) {}

  private final Set<Class<?>> others;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Step> left = new ArrayDeque<>();
  private static final int MOST_ATTEMPTS = 1000;

  private final SortedMap<String, Integer> sizes = new TreeMap<>();

  private RetainedElements(Set<Class<?>> others) {
    this.others = others;
  }

  /**
   * Counts the retained elements.
   *
   * @param others classes to skip because they retain elements for others
   * @return counts by path, at a moment without concurrent changes
   */
  public static SortedMap<String, Integer> by(Object root, Class<?>... others) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(root, others);
      } catch (ConcurrentModificationException changing) {
        if (attempt == MOST_ATTEMPTS) {
          throw changing; // changes do not stop
        }
      }
    }
  }

  private static SortedMap<String, Integer> once(Object root, Class<?>... others) {
    RetainedElements retained = new RetainedElements(Set.of(others));
    retained.meet(root, root.getClass().getSimpleName());
    while (!retained.left.isEmpty()) {
      retained.look(retained.left.removeFirst());
    }
    return retained.sizes;
  }

  private void meet(@Nullable Object object, String path) {
    if (object != null && !others.contains(object.getClass()) && isOfInterest(object)) {
      if (seen.add(object)) {
        left.addLast(new Step(object, path));
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

  private void look(Step step) {
    switch (step.object()) {
      case Map<?, ?> map -> {
        List<Object> keys = new ArrayList<>();
        map.keySet().forEach(keys::add); // unlike a copy, this detects concurrent changes
        all(keys, step.path() + "{}");
        map.values().forEach(value -> meet(value, step.path() + "[]"));
      }
      case Collection<?> some -> all(some, step.path());
      case Object[] some -> all(Arrays.asList(some), step.path());
      case Optional<?> maybe -> maybe.ifPresent(value -> meet(value, step.path()));
      default -> fields(step);
    }
  }

  private void all(Collection<?> some, String path) {
    sizes.merge(path, some.size(), Integer::sum);
    some.forEach(one -> meet(one, path + "[]"));
  }

  private void fields(Step step) {
    for (Class<?> type = step.object().getClass();
        type != null && isOurs(type);
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          meet(value(field, step.object()), step.path() + "." + field.getName());
        }
      }
    }
  }

  private static @Nullable Object value(Field field, Object object) {
    field.setAccessible(true);
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
