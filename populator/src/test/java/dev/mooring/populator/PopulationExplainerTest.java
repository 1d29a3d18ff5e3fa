package dev.mooring.populator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.populator.explain.PopulationExplainer;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import java.util.List;
import org.junit.jupiter.api.Test;

class PopulationExplainerTest {
  private static final Claim CLAIM =
      TestObjects.claim("default", "data")
          .uid("11111111-1111-1111-1111-111111111111")
          .storageClass("fast")
          .dataSourceRef(new DataSourceRef("example.com", "Page", "", "index"))
          .build();

  private final GivenClusterView view =
      new GivenClusterView()
          .with(
              Kind.STORAGE_CLASS,
              List.of(
                  TestObjects.storageClass("fast")
                      .provisioner("example.com/disks")
                      .binding(StorageClass.Binding.IMMEDIATE)
                      .build()))
          .with(Kind.VOLUME, List.of())
          .with(Kind.POD, List.of())
          .with(Kind.CLAIM, List.of(CLAIM));

  private Explanation explain() throws InterruptedException {
    return new PopulationExplainer(view).explain(CLAIM.key(), Detail.EVIDENCE).getFirst();
  }

  private GivenClusterView withPrime(Claim prime) {
    return view.with(Kind.CLAIM, List.of(CLAIM, prime));
  }

  private static Claim prime() {
    return TestObjects.claim("populators", PopulatorMarks.primeName(CLAIM.meta().uid())).build();
  }

  @Test
  void explain_noRegistration_namesTheKind() throws InterruptedException {
    view.with(VolumePopulator.KIND, List.of());
    Explanation explanation = explain();
    assertThat(explanation.cause().code()).isEqualTo("UnrecognizedDataSourceKind");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.MISCONFIGURED);
    assertThat(explanation.message()).isEqualTo("kind Page.example.com");
  }

  @Test
  void explain_registrationsUnreadable_isUnknown() throws InterruptedException {
    view.withReadError(VolumePopulator.KIND, "forbidden");
    assertThat(explain().cause().rank()).isEqualTo(CauseRank.UNKNOWN);
  }

  @Test
  void explain_registeredKind_saysThatNoPopulatorBegan() throws InterruptedException {
    view.with(
        VolumePopulator.KIND,
        List.of(
            TestObjects.volumePopulator("p")
                .sourceGroup("example.com")
                .sourceKind("Page")
                .build()));
    assertThat(explain().cause().code()).isEqualTo("PopulatorNotSeen");
  }

  @Test
  void explain_kindOfPlugin_appliesItsRules() throws InterruptedException {
    view.with(
            Kind.STORAGE_CLASS,
            List.of(TestObjects.storageClass("fast").provisioner("kubernetes.io/x").build()))
        .with(new TestPlugin("example.com/p").withPopulator(new HttpPopulator()).loaded());
    assertThat(explain().cause().code()).isEqualTo("PopulationOfInTreeClass");
  }

  @Test
  void explain_unboundPrimeClaim_pointsToIt() throws InterruptedException {
    withPrime(prime());
    Explanation explanation = explain();
    assertThat(explanation.cause().code()).isEqualTo("PrimeClaimUnbound");
    assertThat(explanation.nextStep().text())
        .contains("mooring explain pvc/" + prime().meta().name() + " -n populators");
  }

  @Test
  void explain_runningPod_isNamed() throws InterruptedException {
    Volume volume = TestObjects.volume("pv").claimRef(prime()).build();
    withPrime(TestObjects.like(prime()).boundTo(volume).build())
        .with(Kind.VOLUME, List.of(volume))
        .with(
            Kind.POD,
            List.of(
                TestObjects.pod("populators", PopulatorMarks.podName(CLAIM.meta().uid()))
                    .phase(Pod.Phase.RUNNING)
                    .build()));
    Explanation explanation = explain();
    assertThat(explanation.cause().code()).isEqualTo("Populating");
    assertThat(explanation.message()).contains("populate-11111111").contains("RUNNING");
  }

  @Test
  void explain_movedVolume_waitsForTheBinder() throws InterruptedException {
    Volume volume = TestObjects.volume("pv").claimRef(CLAIM).build();
    withPrime(TestObjects.like(prime()).boundTo(volume).build()).with(Kind.VOLUME, List.of(volume));
    assertThat(explain().cause().code()).isEqualTo("PopulatedVolumeUnbound");
  }

  @Test
  void explain_claimWithVolume_isEmpty() throws InterruptedException {
    view.with(Kind.CLAIM, List.of(TestObjects.like(CLAIM).volumeName("pv").build()));
    assertThat(new PopulationExplainer(view).explain(CLAIM.key(), Detail.EVIDENCE)).isEmpty();
  }
}
