package dev.mooring.populator.state;

import dev.mooring.populator.decide.SourceCheck;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Number of checks of data sources by result. Thread-safe. */
public final class ValidationCounts {
  private final Map<SourceCheck, LongAdder> counts = new EnumMap<>(SourceCheck.class);

  public ValidationCounts() {
    for (SourceCheck check : SourceCheck.values()) {
      counts.put(check, new LongAdder());
    }
  }

  public void record(SourceCheck check) {
    LongAdder count = counts.get(check);
    if (count != null) {
      count.increment();
    }
  }

  public Map<String, Long> read() {
    Map<String, Long> values = new TreeMap<>();
    counts.forEach((check, count) -> values.put(check.label(), count.sum()));
    return values;
  }
}
