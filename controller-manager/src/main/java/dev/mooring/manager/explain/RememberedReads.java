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
 * Asks everything once: ten thousand claims of a class that is missing are one question, and one
 * sight of a cluster does not change while it is explained. Thread-safe.
 */
final class RememberedReads implements LiveReader {
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

  RememberedReads(LiveReader reader) {
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

  @SuppressWarnings("unchecked") // a question has answers of one type
  private <T> ReadResult<T> once(Question question, Asking<T> asking) throws InterruptedException {
    ReadResult<?> known = answers.get(question);
    if (known == null) {
      known = asking.ask();
      answers.put(question, known);
    }
    return (ReadResult<T>) known;
  }
}
