package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects another version, so that nothing comes of requests that an earlier process sent,
 * that are under way still, and that are bound to the version that the object had. It is an
 * annotation that says nothing, and is taken away when it has done its part. Thread-safe.
 */
public final class VersionMark {
  /** The annotation's name. */
  public static final String VERSION_MARK = "mooring.dev/none";

  private final ClusterWriter writer;
  private final String life;
  private final AtomicLong marks = new AtomicLong();

  /**
   * Writes by that writer.
   *
   * @param time tells this process from others
   */
  public VersionMark(ClusterWriter writer, Time time) {
    this.writer = writer;
    this.life = Long.toString(time.now().toEpochMilli(), Character.MAX_RADIX);
  }

  /**
   * Whatever version the object is in, it is another one afterwards, unless a webhook takes marks
   * out: one that stands there already would change nothing, whoever left it, so each is another.
   *
   * @param object as it is known: of its uid
   */
  public <T extends Resource> WriteResult<T> set(Kind<T> kind, T object)
      throws InterruptedException {
    return write(kind, object, life + "-" + marks.incrementAndGet());
  }

  /** Takes it away; if that fails it stays, and goes with the object. */
  public <T extends Resource> WriteResult<T> clear(Kind<T> kind, T object)
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
