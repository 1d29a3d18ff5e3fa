package dev.mooring.selinux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.workqueue.TakeResult;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueOfPodsTest {
  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final SharedInformers informers = cluster.informers();

  private void addPod(String namespace, int number) {
    informers
        .of(Kind.POD_MOUNTS)
        .applyOwnWrite(TestObjects.podMounts(namespace, "p" + number).build());
  }

  @Test
  void queue_manyPodsOfOneNamespace_servesOtherNamespaceSecond() throws InterruptedException {
    ControllerSpec spec =
        new SeLinuxWarningController(informers, TestPorts.of(cluster, cluster, time)).spec();
    new StepwiseController(spec, time).startWithoutFirstPasses();
    for (int i = 0; i < 20; i++) {
      addPod("many", i);
    }
    addPod("few", 0);
    WorkQueue<?> queue = spec.loops().getFirst().queue();
    assertThat(List.of(queue.take(), queue.take()))
        .isEqualTo(
            List.of(
                new TakeResult.Item<>(ObjectKey.of("many", "p0")),
                new TakeResult.Item<>(ObjectKey.of("few", "p0"))));
  }
}
