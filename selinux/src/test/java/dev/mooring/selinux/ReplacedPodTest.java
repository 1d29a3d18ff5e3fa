package dev.mooring.selinux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplacedPodTest {
  private static final VolumeSource DISK =
      new VolumeSource("iscsi", Map.of("targetPortal", "p", "iqn", "i", "lun", "0"));

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final SharedInformers informers = cluster.informers();
  private final StepwiseController steps =
      new StepwiseController(
          new SeLinuxWarningController(informers, TestPorts.of(cluster, cluster, time)).spec(),
          time);
  private long version;

  private void putPod(String name, String uid, String level) {
    informers
        .of(Kind.POD_MOUNTS)
        .applyOwnWrite(
            TestObjects.podMounts("ns", name)
                .uid(uid)
                .version(++version)
                .label(new SeLinuxOptions("", "", "", level))
                .volumes(List.of(new PodVolume("v", "", false, DISK)))
                .containers(List.of(new PodMounts.Container(null, List.of("v"))))
                .build());
  }

  private List<String> uidsOfReportedPods() throws InterruptedException {
    steps.settle();
    return cluster.events().stream().map(event -> event.subject().uid().toString()).toList();
  }

  @Test
  void sync_podReplacedUnderItsName_reportsConflictAgain() throws InterruptedException {
    steps.startWithoutFirstPasses();
    putPod("a", "a-1", "s0:c1");
    putPod("b", "b-1", "s0:c2");
    assertThat(uidsOfReportedPods()).containsExactlyInAnyOrder("a-1", "b-1");
    putPod("b", "b-2", "s0:c2");
    assertThat(uidsOfReportedPods()).containsExactlyInAnyOrder("a-1", "b-1", "a-1", "b-2");
    putPod("b", "b-2", "s0:c2");
    assertThat(uidsOfReportedPods()).as("nothing has changed").hasSize(4);
    putPod("b", "b-3", "s0:c2");
    assertThat(uidsOfReportedPods()).hasSize(6).contains("b-3");
  }
}
