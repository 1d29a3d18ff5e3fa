package dev.mooring.it.grow;

import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.GrowthCluster;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Cluster of a growth that dies before or after one of its writes. */
final class InterruptedCluster implements InvocationHandler {
  enum Moment {
    BEFORE,
    AFTER
  }

  /** The end of the process. */
  static final class Interruption extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final GrowthCluster cluster;
  private final int number;
  private final Moment moment;
  private final List<String> writes = new ArrayList<>();

  /**
   * Creates the cluster.
   *
   * @param number number of the write, from 1; 0 for no interruption
   */
  InterruptedCluster(GrowthCluster cluster, int number, Moment moment) {
    this.cluster = cluster;
    this.number = number;
    this.moment = moment;
  }

  GrowthCluster asCluster() {
    return (GrowthCluster)
        Proxy.newProxyInstance(
            GrowthCluster.class.getClassLoader(), new Class<?>[] {GrowthCluster.class}, this);
  }

  List<String> writes() {
    return writes;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    boolean isWrite = !method.getName().startsWith("read") && !method.getName().startsWith("try");
    boolean isInterrupted = isWrite && writes.size() + 1 == number;
    if (isInterrupted && moment == Moment.BEFORE) {
      throw new Interruption();
    }
    try {
      Object result = method.invoke(cluster, arguments);
      // a write that conflicts with the StatefulSet controller is repeated
      if (isWrite && !(result instanceof WriteResult.Conflict<?>)) {
        writes.add(method.getName());
        if (isInterrupted) {
          throw new Interruption();
        }
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
