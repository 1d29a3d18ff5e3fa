package dev.mooring.wire;

import dev.mooring.model.Quantity;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
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

    public Fields and(Fields otherFields) {
      return and(otherFields.numbers);
    }

    public Fields inline(int number, Fields members) {
      Map<String, Integer> innerNumbers = new HashMap<>();
      members.numbers.forEach((name, inner) -> innerNumbers.put(name, number << 16 | inner));
      return and(innerNumbers);
    }

    private Fields and(Map<String, Integer> added) {
      Map<String, Integer> combined = new HashMap<>(numbers);
      added.forEach((name, number) -> {
        if (combined.containsValue(number) || combined.put(name, number) != null) {
          throw new IllegalArgumentException("a second field " + number + ", " + name);
        }
      });
      return new Fields(combined);
    }

    /**
     * Returns the number; {@code outer << 16 | inner} for a field of an inline member; 0 if
     * unknown.
     */
    public int getNumber(String name) {
      return numbers.getOrDefault(name, 0);
    }

    Map<String, Integer> numbers() {
      return numbers;
    }

    String getName(int number) {
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

  private boolean isWhole;

  /**
   * Returns the number of the next known field; 0 at the end of the message, which is then closed.
   * Skips unknown fields and nulls.
   */
  public abstract int next(Fields fields) throws IOException;

  public abstract void skip() throws IOException;

  public abstract String readText() throws IOException;

  public abstract boolean readFlag() throws IOException;

  public long readNumber() throws IOException {
    try {
      return Long.parseLong(readText());
    } catch (NumberFormatException notWhole) {
      return 0;
    }
  }

  public Quantity readQuantity() throws IOException {
    return parseQuantity(readText());
  }

  /** Reads a time in microseconds since the epoch; 0 if unset. */
  public long readMicros() throws IOException {
    String text = readText();
    if (text.isEmpty()) {
      return 0;
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    } catch (DateTimeException notATime) {
      return 0;
    }
  }

  public abstract void open() throws IOException;

  public final int open(Fields fields) throws IOException {
    open();
    return next(fields);
  }

  public final void readStrings(Map<String, String> target) throws IOException {
    readStrings(target, name -> true);
  }

  public abstract void readStrings(Map<String, String> target, Predicate<String> names)
      throws IOException;

  public void retainEverything() {
    isWhole = true;
  }

  boolean isWhole() {
    return isWhole;
  }

  public abstract void readQuantities(Map<String, Quantity> target) throws IOException;

  public String readSharedText() throws IOException {
    return shareText(readText());
  }

  public final String readSingleField(Fields fields, int wantedField) throws IOException {
    String value = "";
    for (int field = open(fields); field != 0; field = next(fields)) {
      if (field == wantedField) {
        value = readText();
      } else {
        skip();
      }
    }
    return value;
  }

  public long readSeconds() throws IOException {
    return Math.floorDiv(readMicros(), 1_000_000L);
  }

  public static String shareText(String text) {
    return STRINGS.intern(text);
  }

  public static Quantity parseQuantity(String text) {
    return QUANTITIES.intern(text);
  }

  static <E> List<E> freeze(List<E> list) {
    return list.isEmpty() ? List.of() : List.copyOf(list);
  }

  static <V> Map<String, V> freeze(Map<String, V> map) {
    return map.isEmpty() ? Map.of() : Map.copyOf(map);
  }
}
