package dev.mooring.it.cluster;

import java.nio.file.Path;

/** An API server that is not ours, for the time of a test. */
public interface RealCluster extends AutoCloseable {
  /** How to reach it. */
  Path kubeconfig();

  @Override
  void close();
}
