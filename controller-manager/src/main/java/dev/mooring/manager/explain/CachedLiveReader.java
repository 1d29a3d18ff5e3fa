package dev.mooring.manager.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Live reader that remembers the first answer to each request. Ten thousand claims with the same
 * missing class cause at most one request per thread, and all explanations of a snapshot see the
 * same answer. Thread-safe.
 */
final class CachedLiveReader implements LiveReader {
  private final LiveReader reader;
  private final Map<Question, ReadResult<?>> answers = new ConcurrentHashMap<>();

  private enum QuestionForm {
    OBJECT,
    WHOLE_OBJECT,
    LIST
  }

  private record Question(QuestionForm form, Kind<?> kind, ObjectKey key) {}

  @FunctionalInterface
  private interface LiveRequest<T> {
    ReadResult<T> send() throws InterruptedException;
  }

  CachedLiveReader(LiveReader reader) {
    this.reader = reader;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return readOnce(new Question(QuestionForm.OBJECT, kind, key), () -> reader.read(kind, key));
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return readOnce(
        new Question(QuestionForm.WHOLE_OBJECT, kind, key), () -> reader.readWhole(kind, key));
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return readOnce(
        new Question(QuestionForm.LIST, kind, ObjectKey.of(namespace, "")),
        () -> reader.list(kind, namespace));
  }

  @SuppressWarnings("unchecked") // the key determines the type of the result
  private <T> ReadResult<T> readOnce(Question question, LiveRequest<T> request)
      throws InterruptedException {
    ReadResult<?> cached = answers.get(question);
    if (cached == null) {
      ReadResult<T> answer = request.send();
      cached = Objects.requireNonNullElse(answers.putIfAbsent(question, answer), answer);
    }
    return (ReadResult<T>) cached;
  }
}
