package dev.mooring.apiserver.apply;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How values of a type are taken apart for merging. */
public sealed interface Shape {
  /** What a scalar may be. */
  enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    ANY
  }

  /**
   * A single value.
   *
   * @param kind what it may be
   */
  record Scalar(Kind kind) implements Shape {}

  /** An object with declared members, or a map. */
  non-sealed interface Mapping extends Shape {
    /** Whether it is taken or left as a whole. */
    boolean isAtomic();

    /** The shape of the declared member, null if there is none of that name. */
    @Nullable Shape declared(String name);

    /** The shape of members that are not declared, null if there may be none. */
    @Nullable Shape others();
  }

  /**
   * A list.
   *
   * @param isStrict whether an element without any of its keys is an error
   * @param isAtomic whether it is taken or left as a whole
   * @param keys the members that tell elements apart; none: an element is told by its value
   * @param defaults what a missing key is, "" for nothing
   * @param element its elements
   */
  record Listing(
      boolean isStrict, boolean isAtomic, List<String> keys, List<String> defaults, Shape element)
      implements Shape {}

  /**
   * Whatever the value says that it is; lists are atomic.
   *
   * @param isAtomic whether objects are, too
   */
  record Deduced(boolean isAtomic) implements Shape {}

  /** Any value, by member where it is an object. */
  Shape DEDUCED = new Deduced(false);

  /** Any value as a whole. */
  Shape OPAQUE = new Deduced(true);

  /** The shape below a path's element. */
  default Shape below(String element) {
    if (this instanceof Mapping mapping && element.startsWith("f:")) {
      Shape declared = mapping.declared(element.substring(2));
      Shape others = declared == null ? mapping.others() : declared;
      return others == null ? DEDUCED : others;
    }
    return this instanceof Listing list ? list.element() : DEDUCED;
  }
}
