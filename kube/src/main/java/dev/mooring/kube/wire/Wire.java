package dev.mooring.kube.wire;

import dev.mooring.model.Quantity;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A body read field by field. {@link #next} says which field of the current message comes; then
 * exactly one of the reading methods takes its value. A repeated field comes once per element. Not
 * thread-safe.
 */
public abstract class Wire {
  /** The fields of a message: their protobuf numbers by JSON name. Immutable. */
  public static final class Fields {
    private static final Fields NONE = new Fields(Map.of());

    private final Map<String, Integer> numbers;

    private Fields(Map<String, Integer> numbers) {
      this.numbers = numbers;
    }

    public static Fields none() {
      return NONE;
    }

    public static Fields of(int number, String name) {
      return NONE.and(number, name);
    }

    /**
     * These fields, and one more.
     *
     * @throws IllegalArgumentException if one of them has the number or the name already
     */
    public Fields and(int number, String name) {
      return and(Map.of(name, number));
    }

    /**
     * These fields and those.
     *
     * @throws IllegalArgumentException if they have a number or a name in common
     */
    public Fields and(Fields others) {
      return and(others.numbers);
    }

    /**
     * These fields, and those of a member message whose fields stand in this object in JSON.
     *
     * @throws IllegalArgumentException if one of them has such a name already
     */
    public Fields inline(int number, Fields members) {
      Map<String, Integer> more = new HashMap<>();
      members.numbers.forEach((name, inner) -> more.put(name, number << 16 | inner));
      return and(more);
    }

    private Fields and(Map<String, Integer> more) {
      Map<String, Integer> all = new HashMap<>(numbers);
      more.forEach((name, number) -> {
        if (all.containsValue(number) || all.put(name, number) != null) {
          throw new IllegalArgumentException("a second field " + number + ", " + name);
        }
      });
      return new Fields(all);
    }

    /** The number; {@code outer << 16 | inner} for a field of an inline member; 0 if unknown. */
    int number(String name) {
      return numbers.getOrDefault(name, 0);
    }

    /** The name of a number, "" if unknown. */
    String name(int number) {
      for (Map.Entry<String, Integer> entry : numbers.entrySet()) {
        if (entry.getValue() == number) {
          return entry.getKey();
        }
      }
      return "";
    }
  }

  // of the process: events of a watch are bodies of their own
  private static final Shared<String> STRINGS = new Shared<>(1 << 14, text -> text);
  private static final Shared<Quantity> QUANTITIES =
      new Shared<>(1 << 10, text -> Quantity.parse(text).orElse(Quantity.ZERO));

  private boolean whole;

  /**
   * The number of the next field that is known, 0 at the end of the message, which is left by that.
   * Unknown ones and nulls are skipped.
   */
  public abstract int next(Fields fields) throws IOException;

  public abstract void skip() throws IOException;

  public abstract String text() throws IOException;

  public abstract boolean flag() throws IOException;

  public abstract long number() throws IOException;

  /** A quantity; zero if it is not one. */
  public abstract Quantity quantity() throws IOException;

  /** A time in microseconds since the epoch, 0 if unset. */
  public abstract long micros() throws IOException;

  /** Enters the message that is the value, whose fields must be read to the end. */
  public abstract void open() throws IOException;

  /** Enters the message that is the value: what {@link #next} says of its first field. */
  final int open(Fields fields) throws IOException {
    open();
    return next(fields);
  }

  /** Takes a map of strings, or one entry of it. */
  public final void strings(Map<String, String> into) throws IOException {
    strings(into, name -> true);
  }

  /** Takes the entries of those names from a map of strings, or from one entry of it. */
  public abstract void strings(Map<String, String> into, Predicate<String> names)
      throws IOException;

  /** Nothing is to be dropped because nobody reads it. */
  public void keepWhole() {
    whole = true;
  }

  /** Whether nothing is to be dropped. */
  boolean isWhole() {
    return whole;
  }

  /** Takes a map of quantities, or one entry of it. */
  public abstract void quantities(Map<String, Quantity> into) throws IOException;

  /** A string of which there are few different ones. */
  public String shared() throws IOException {
    return share(text());
  }

  /** The one string that matters in a message. */
  String only(Fields fields, int wanted) throws IOException {
    String value = "";
    for (int field = open(fields); field != 0; field = next(fields)) {
      if (field == wanted) {
        value = text();
      } else {
        skip();
      }
    }
    return value;
  }

  /** A time in seconds since the epoch, 0 if unset. */
  public long seconds() throws IOException {
    return Math.floorDiv(micros(), 1_000_000L);
  }

  static String share(String text) {
    return STRINGS.of(text);
  }

  /** The amount that the text says; zero if it is none. */
  static Quantity quantity(String text) {
    return QUANTITIES.of(text);
  }

  static <E> List<E> frozen(List<E> list) {
    return list.isEmpty() ? List.of() : List.copyOf(list);
  }

  static <V> Map<String, V> frozen(Map<String, V> map) {
    return map.isEmpty() ? Map.of() : Map.copyOf(map);
  }
}
