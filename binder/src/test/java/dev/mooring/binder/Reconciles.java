package dev.mooring.binder;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Labels that count their reads. */
public final class Reconciles extends AbstractMap<String, String> {
  private final Map<String, String> labels;
  private final LongAdder count;

  public Reconciles(Map<String, String> labels, LongAdder count) {
    this.labels = labels;
    this.count = count;
  }

  @Override
  public int size() {
    count.increment();
    return labels.size();
  }

  @Override
  public @Nullable String get(Object key) {
    count.increment();
    return labels.get(key);
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    count.increment();
    return labels.entrySet();
  }
}
