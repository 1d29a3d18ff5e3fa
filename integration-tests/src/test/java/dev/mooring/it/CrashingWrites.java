package dev.mooring.it;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Writers of a process that ends at one of its writes. */
public final class CrashingWrites {
  public static final String CRASH = "the process has ended";

  private final int number;
  private final boolean beforeWrite;
  private final List<String> writes = new ArrayList<>();

  /**
   * Creates the writers.
   *
   * @param number number of the last write, from 1; 0 if the process does not end
   */
  public CrashingWrites(int number, boolean beforeWrite) {
    this.number = number;
    this.beforeWrite = beforeWrite;
  }

  public List<String> writes() {
    return writes;
  }

  public ClusterWriter of(ClusterWriter writer) {
    return wrap(ClusterWriter.class, writer);
  }

  public ManifestWriter of(ManifestWriter writer) {
    return wrap(ManifestWriter.class, writer);
  }

  private <T> T wrap(Class<T> port, T writer) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, arguments) -> {
              boolean isWrite = !method.getName().startsWith("try");
              boolean isLast = isWrite && writes.size() + 1 == number;
              if (isLast && beforeWrite) {
                throw new IllegalStateException(CRASH);
              }
              Object result = method.invoke(writer, arguments);
              // a write that conflicts with another client is repeated
              if (isWrite && !(result instanceof WriteResult.Conflict<?>)) {
                writes.add(method.getName() + " " + ((Kind<?>) arguments[0]).plural());
                if (isLast) {
                  throw new IllegalStateException(CRASH);
                }
              }
              return result;
            }));
  }
}
