package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.plugin.localpath.DirectoryJob.Ended;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.files.DirectoryTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs jobs in this process if it runs on the node, otherwise in a pod. */
final class JobRunner {
  private final String here;
  private final HelperPodRunner pods;
  private final CapacityLedger capacity;
  private final Map<String, DirectoryTree> bases = new ConcurrentHashMap<>();

  JobRunner(String here, HelperPodRunner pods, CapacityLedger capacity) {
    this.here = here;
    this.pods = pods;
    this.capacity = capacity;
  }

  CapacityLedger capacity() {
    return capacity;
  }

  private boolean isHere(DirectoryJob job) {
    return !here.isEmpty()
        && (job.node().isEmpty() || job.node().equals(here))
        && base(job).rootExists();
  }

  private DirectoryTree base(DirectoryJob job) {
    return bases.computeIfAbsent(
        job.directory().base().text(), base -> DirectoryTree.at(Path.of(base)));
  }

  boolean canRun(DirectoryJob job, Node node) {
    return isHere(job) || node.isReady();
  }

  Attempt<Ended> run(DirectoryJob job, Duration timeout) throws InterruptedException {
    return isHere(job) ? job.runHere(base(job)) : pods.run(job, timeout);
  }
}
