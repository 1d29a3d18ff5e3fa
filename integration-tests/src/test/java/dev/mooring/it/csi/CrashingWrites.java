package dev.mooring.it.csi;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.ManifestWriter;
import java.lang.reflect.Proxy;

/** Writers of a process that ends at one of its writes. */
final class CrashingWrites {
  static final String CRASH = "the process has ended";

  private final int number;
  private final boolean beforeWrite;
  private int writes;

  /**
   * Creates the writers.
   *
   * @param number number of the last write, from 1
   */
  CrashingWrites(int number, boolean beforeWrite) {
    this.number = number;
    this.beforeWrite = beforeWrite;
  }

  ClusterWriter of(ClusterWriter writer) {
    return wrap(ClusterWriter.class, writer);
  }

  ManifestWriter of(ManifestWriter writer) {
    return wrap(ManifestWriter.class, writer);
  }

  private <T> T wrap(Class<T> port, T writer) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, arguments) -> {
              boolean isLast = !method.getName().startsWith("try") && ++writes == number;
              if (isLast && beforeWrite) {
                throw new IllegalStateException(CRASH);
              }
              Object result = method.invoke(writer, arguments);
              if (isLast) {
                throw new IllegalStateException(CRASH);
              }
              return result;
            }));
  }
}
