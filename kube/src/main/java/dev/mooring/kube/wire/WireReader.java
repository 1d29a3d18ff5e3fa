package dev.mooring.kube.wire;

import dev.mooring.model.Quantity;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Reads a body field by field. {@link #next} returns the next field of the current message; then
 * exactly one reading method must consume its value. A repeated field occurs once per element. Not
 * thread-safe.
 */
public abstract class WireReader {
  /** Fields of a message: protobuf numbers by JSON name. Immutable. */
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

    public Fields and(int number, String name) {
      return and(Map.of(name, number));
    }

    public Fields and(Fields others) {
      return and(others.numbers);
    }

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

    /**
     * Returns the number; {@code outer << 16 | inner} for a field of an inline member; 0 if
     * unknown.
     */
    int number(String name) {
      return numbers.getOrDefault(name, 0);
    }

    String name(int number) {
      for (Map.Entry<String, Integer> entry : numbers.entrySet()) {
        if (entry.getValue() == number) {
          return entry.getKey();
        }
      }
      return "";
    }
  }

  // static: each watch event is a separate body
  private static final ValueInterner<String> STRINGS = new ValueInterner<>(1 << 14, text -> text);
  private static final ValueInterner<Quantity> QUANTITIES =
      new ValueInterner<>(1 << 10, text -> Quantity.parse(text).orElse(Quantity.ZERO));

  private boolean whole;

  /**
   * Returns the number of the next known field; 0 at the end of the message, which is then closed.
   * Skips unknown fields and nulls.
   */
  public abstract int next(Fields fields) throws IOException;

  public abstract void skip() throws IOException;

  public abstract String text() throws IOException;

  public abstract boolean flag() throws IOException;

  public abstract long number() throws IOException;

  public abstract Quantity quantity() throws IOException;

  /** Reads a time in microseconds since the epoch; 0 if unset. */
  public abstract long micros() throws IOException;

  public abstract void open() throws IOException;

  final int open(Fields fields) throws IOException {
    open();
    return next(fields);
  }

  public final void strings(Map<String, String> into) throws IOException {
    strings(into, name -> true);
  }

  public abstract void strings(Map<String, String> into, Predicate<String> names)
      throws IOException;

  public void keepWhole() {
    whole = true;
  }

  boolean isWhole() {
    return whole;
  }

  public abstract void quantities(Map<String, Quantity> into) throws IOException;

  public String shared() throws IOException {
    return share(text());
  }

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

  public long seconds() throws IOException {
    return Math.floorDiv(micros(), 1_000_000L);
  }

  static String share(String text) {
    return STRINGS.of(text);
  }

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
