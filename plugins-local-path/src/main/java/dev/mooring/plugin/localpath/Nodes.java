package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.plugin.localpath.Job.Ended;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.files.DirectoryTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Does jobs where they are to be done: in this process if it runs there, else by a pod. */
final class Nodes {
  private final String here;
  private final HelperPodRunner pods;
  private final Rooms rooms;
  private final Map<String, DirectoryTree> bases = new ConcurrentHashMap<>();

  /**
   * Of a process on that node.
   *
   * @param here the node's name, "" if nobody said which
   */
  Nodes(String here, HelperPodRunner pods, Rooms rooms) {
    this.here = here;
    this.pods = pods;
    this.rooms = rooms;
  }

  /** How much there is in their paths. */
  Rooms rooms() {
    return rooms;
  }

  /** Whether it can be done without the node's kubelet. */
  private boolean isHere(Job job) {
    return !here.isEmpty()
        && (job.node().isEmpty() || job.node().equals(here))
        && base(job).isThere();
  }

  private DirectoryTree base(Job job) {
    return bases.computeIfAbsent(
        job.directory().base().text(), base -> DirectoryTree.at(Path.of(base)));
  }

  /** Whether somebody is there who can do it at this moment. */
  boolean canRun(Job job, Node node) {
    return isHere(job) || node.isReady();
  }

  Attempt<Ended> run(Job job, Duration timeout) throws InterruptedException {
    return isHere(job) ? job.runHere(base(job)) : pods.run(job, timeout);
  }
}
