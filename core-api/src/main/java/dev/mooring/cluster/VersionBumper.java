package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Changes an object's resourceVersion, so that the server rejects requests from an earlier process
 * that are still in flight and require the old version. Writes an annotation without meaning and
 * removes it afterwards. Thread-safe.
 */
public final class VersionBumper {
  public static final String VERSION_MARK = "mooring.dev/none";

  private final ClusterWriter writer;
  private final String processToken;
  private final AtomicLong marks = new AtomicLong();

  public VersionBumper(ClusterWriter writer, Time time) {
    this.writer = writer;
    this.processToken = Long.toString(time.now().toEpochMilli(), Character.MAX_RADIX);
  }

  /**
   * Sets the annotation to a new value, and thus changes the resourceVersion unless a webhook
   * strips the annotation. A repeated value would change nothing.
   *
   * @param object any version; only its key and uid matter
   */
  public <T extends Resource> WriteResult<T> bump(Kind<T> kind, T object)
      throws InterruptedException {
    return write(kind, object, processToken + "-" + marks.incrementAndGet());
  }

  /** Removes the annotation. If this fails, the annotation stays until the object is deleted. */
  public <T extends Resource> WriteResult<T> removeMark(Kind<T> kind, T object)
      throws InterruptedException {
    return write(kind, object, null);
  }

  private <T extends Resource> WriteResult<T> write(Kind<T> kind, T object, @Nullable String mark)
      throws InterruptedException {
    return writer.patch(
        kind,
        object.key(),
        Document.empty()
            .set(object.meta().uid().toString(), "metadata", "uid")
            .set(mark, "metadata", "annotations", VERSION_MARK));
  }
}
