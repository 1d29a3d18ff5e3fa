package dev.mooring.manager.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Live reader that sends each request once. Ten thousand claims with the same missing class cause
 * one request, and all explanations of a snapshot see the same answer. Thread-safe.
 */
final class CachedLiveReader implements LiveReader {
  private final LiveReader reader;
  private final Map<Question, ReadResult<?>> answers = new ConcurrentHashMap<>();

  private enum Form {
    OBJECT,
    WHOLE,
    NAMESPACE
  }

  private record Question(Form form, Kind<?> kind, ObjectKey key) {}

  @FunctionalInterface
  private interface Asking<T> {
    ReadResult<T> ask() throws InterruptedException;
  }

  CachedLiveReader(LiveReader reader) {
    this.reader = reader;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return once(new Question(Form.OBJECT, kind, key), () -> reader.read(kind, key));
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return once(new Question(Form.WHOLE, kind, key), () -> reader.readWhole(kind, key));
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return once(
        new Question(Form.NAMESPACE, kind, ObjectKey.of(namespace, "")),
        () -> reader.list(kind, namespace));
  }

  @SuppressWarnings("unchecked") // the key determines the type of the result
  private <T> ReadResult<T> once(Question question, Asking<T> asking) throws InterruptedException {
    ReadResult<?> known = answers.get(question);
    if (known == null) {
      known = asking.ask();
      answers.put(question, known);
    }
    return (ReadResult<T>) known;
  }
}
