package dev.mooring.it.cluster;

import java.nio.file.Path;

/** A real API server for the duration of a test. */
public interface RealCluster extends AutoCloseable {
  Path kubeconfig();

  @Override
  void close();
}
