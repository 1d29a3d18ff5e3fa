package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.plugin.localpath.DirectoryJob.Completed;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.files.DirectoryTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs jobs in this process if it runs on the node, otherwise in a pod. */
final class JobRunner {
  private final String localNode;
  private final HelperPodRunner podRunner;
  private final CapacityLedger capacity;
  private final Map<String, DirectoryTree> treesByBase = new ConcurrentHashMap<>();

  JobRunner(String localNode, HelperPodRunner podRunner, CapacityLedger capacity) {
    this.localNode = localNode;
    this.podRunner = podRunner;
    this.capacity = capacity;
  }

  CapacityLedger capacity() {
    return capacity;
  }

  private boolean canRunInProcess(DirectoryJob job) {
    return !localNode.isEmpty()
        && (job.node().isEmpty() || job.node().equals(localNode))
        && baseTree(job).rootExists();
  }

  private DirectoryTree baseTree(DirectoryJob job) {
    return treesByBase.computeIfAbsent(
        job.directory().base().text(), base -> DirectoryTree.at(Path.of(base)));
  }

  boolean canRun(DirectoryJob job, Node node) {
    return canRunInProcess(job) || node.isReady();
  }

  Attempt<Completed> run(DirectoryJob job, Duration timeout) throws InterruptedException {
    return canRunInProcess(job) ? job.runInProcess(baseTree(job)) : podRunner.run(job, timeout);
  }
}
