package dev.mooring.populator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Populations from a URL by a pod, and from another claim's volume by a call. */
class PopulationTest {
  @TempDir Path root;

  private enum Crash {
    BEFORE_WRITE,
    AFTER_WRITE
  }

  private static void assertPopulated(PopulationFixture fixture) throws Exception {
    assertThat(fixture.claim().phase()).isEqualTo(ClaimPhase.BOUND);
    assertThat(fixture.claim().meta().finalizers()).isEmpty();
    assertThat(fixture.content()).isEqualTo(PopulationFixture.CONTENT);
    assertThat(fixture.storage.pods()).isEmpty();
    assertThat(fixture.storage.claims())
        .noneMatch(claim -> claim.key().namespace().equals(PopulationFixture.NAMESPACE));
  }

  private void givenPage(PopulationFixture fixture) throws InterruptedException {
    fixture.start(new HttpPopulator());
    fixture.createSource(HttpPopulator.PAGE, "index", "url", fixture.url("/page"));
    fixture.createClaim(HttpPopulator.PAGE, "index");
  }

  @Test
  void population_url_fillsVolumeByPod() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      givenPage(fixture);
      fixture.run();
      assertPopulated(fixture);
      assertThat(fixture.storage.volumes())
          .singleElement()
          .satisfies(volume ->
              assertThat(volume.meta().annotation(PopulatorMarks.POPULATED_FROM))
                  .isEqualTo("default/index"));
      assertThat(fixture.events()).containsExactly("PopulatorCreated", "PopulatorFinished");
    }
  }

  @Test
  void population_claimOfAnotherClass_fillsVolumeByCall() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      ClaimCopyPopulator populator = new ClaimCopyPopulator(fixture.storage::directoryOf);
      fixture.start(populator);
      ObjectKey original = ObjectKey.of("default", "original");
      fixture.cluster.put(
          Kind.CLAIM, TestObjects.claim("default", "original").storageClass("slow").build());
      fixture.storage.act();
      Files.writeString(
          fixture.storage.directoryOf(original).orElseThrow().resolve(SimulatedStorage.FILE),
          PopulationFixture.CONTENT);
      fixture.createSource(ClaimCopyPopulator.CLAIM_COPY, "copy", "claim", "original");
      Claim claim = fixture.createClaim(ClaimCopyPopulator.CLAIM_COPY, "copy");
      fixture.run();
      assertPopulated(fixture);
      assertThat(populator.cleanedUp).containsExactly(claim.meta().uid());
      assertThat(fixture.storage.volumes())
          .extracting(volume -> volume.storageClass())
          .containsExactlyInAnyOrder("fast", "slow");
    }
  }

  /** The watch missed the deletion. */
  @Test
  void claim_createdAgainWithoutSource_losesPrimeClaimOfItsPredecessor() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      givenPage(given);
      given.settle();
      assertThat(given.storage.claims()).hasSize(2);
      given.cluster.put(
          Kind.CLAIM,
          TestObjects.claim(PopulationFixture.CLAIM)
              .uid("33333333-3333-3333-3333-333333333333")
              .storageClass("fast")
              .build());
      given.settle();
      assertThat(given.storage.claims())
          .singleElement()
          .satisfies(claim -> assertThat(claim.key()).isEqualTo(PopulationFixture.CLAIM));
    }
  }

  private static void writeNode(PopulationFixture given, ObjectKey claim, @Nullable String node) {
    given.cluster.patch(
        Kind.CLAIM,
        claim,
        Document.empty().set(node, "metadata", "annotations", PopulatorMarks.SELECTED_NODE));
  }

  /** The node is the only one, and has space only later. */
  @Test
  void population_rejectedNodeIsSelectedAgain_isTriedThereAgain() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      given.cluster.put(
          Kind.STORAGE_CLASS,
          TestObjects.storageClass("fast")
              .provisioner("example.com/fast")
              .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
              .build());
      givenPage(given);
      ObjectKey prime =
          ObjectKey.of(
              PopulationFixture.NAMESPACE, PopulatorMarks.primeName(given.claim().meta().uid()));
      writeNode(given, PopulationFixture.CLAIM, "n1");
      given.settle();
      writeNode(given, prime, null);
      given.settle();
      assertThat(given.claim().meta().annotation(PopulatorMarks.SELECTED_NODE)).isEmpty();
      writeNode(given, PopulationFixture.CLAIM, "n1");
      given.settle();
      assertThat(
              given.cluster.get(Kind.CLAIM, prime).meta().annotation(PopulatorMarks.SELECTED_NODE))
          .isEqualTo("n1");
    }
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void population_crashAtEachWrite_isResumed(Crash crash) throws Exception {
    int writes = 0;
    boolean hasCrashed = true;
    while (hasCrashed) {
      try (PopulationFixture fixture = new PopulationFixture(root.resolve(crash + "-" + writes))) {
        givenPage(fixture);
        hasCrashed = runWithCrash(fixture, writes, crash);
        fixture.run();
        assertPopulated(fixture);
        assertThat(fixture.storage.volumes()).as("write %s", writes).hasSize(1);
      }
      writes++;
    }
    assertThat(writes).isGreaterThan(7);
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void deletion_crashAtEachWrite_leavesNothing(Crash crash) throws Exception {
    for (int steps = 0; steps < 8; steps++) {
      try (PopulationFixture fixture = new PopulationFixture(root.resolve(crash + "-" + steps))) {
        givenPage(fixture);
        for (int step = 0; step < steps; step++) {
          fixture.step();
        }
        Claim claim = fixture.claim();
        fixture.cluster.delete(Kind.CLAIM, claim.key(), claim.meta().uid(), 0);
        runWithCrash(fixture, steps % 3, crash);
        fixture.run();
        assertThat(fixture.storage.claims()).as("step %s", steps).isEmpty();
        assertThat(fixture.storage.pods()).isEmpty();
        assertThat(fixture.storage.volumes()).isEmpty();
      }
    }
  }

  /**
   * Runs until the write of that number; the process then ends. Returns whether it came to that.
   */
  private static boolean runWithCrash(PopulationFixture fixture, int writes, Crash crash)
      throws Exception {
    AtomicInteger remaining = new AtomicInteger(writes);
    fixture.server.onWrite(request -> {
      int left = remaining.getAndDecrement();
      if (left > 0) {
        return null;
      }
      if (left == 0 && crash == Crash.AFTER_WRITE) {
        repeat(request, fixture.cluster);
      }
      return new WriteResult.Unreachable<>("the process has ended");
    });
    fixture.run();
    fixture.server.onWrite(request -> null);
    fixture.restart();
    return remaining.get() < 0;
  }

  private static void repeat(Request request, InMemoryCluster cluster) {
    switch (request.verb()) {
      case CREATE -> cluster.create(request.kind(), request.key(), request.document());
      case PATCH -> cluster.patch(request.kind(), request.key(), request.document());
      case DELETE -> cluster.delete(request.kind(), request.key(), request.uid(), 0);
      case PATCH_STATUS, GET, GET_WHOLE, LIST -> throw new IllegalStateException("" + request);
    }
  }

  @Test
  void population_failingPod_isRestartedAfterBackOff() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      fixture.start(new HttpPopulator());
      fixture.createSource(HttpPopulator.PAGE, "index", "url", fixture.url("/missing"));
      fixture.createClaim(HttpPopulator.PAGE, "index");
      fixture.run();
      assertThat(fixture.claim().phase()).isNotEqualTo(ClaimPhase.BOUND);
      assertThat(fixture.events())
          .filteredOn("PopulatorFailed"::equals)
          .hasSizeBetween(3, 6); // 40 seconds with delays of 1, 2, 4, 8, 16 seconds
    }
  }

  @Test
  void population_missingSource_isReportedOnceAndResumed() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      fixture.start(new HttpPopulator());
      fixture.createClaim(HttpPopulator.PAGE, "index");
      fixture.run();
      assertThat(fixture.events()).containsExactly("PopulatorDataSourceNotFound");
      fixture.createSource(HttpPopulator.PAGE, "index", "url", fixture.url("/page"));
      fixture.run();
      assertPopulated(fixture);
    }
  }

  @Test
  void population_foreignClaimOfThatName_isNotTouched() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      UnaryOperator<String> name = prefix -> prefix + "11111111-1111-1111-1111-111111111111";
      Claim foreign =
          fixture.cluster.put(
              Kind.CLAIM,
              TestObjects.claim(PopulationFixture.NAMESPACE, name.apply("prime-")).build());
      givenPage(fixture);
      fixture.run();
      assertThat(fixture.events()).containsExactly("PrimeClaimNameTaken");
      assertThat(fixture.server.writes()).noneMatch(request -> request.key().equals(foreign.key()));
      Claim claim = fixture.claim();
      fixture.cluster.delete(Kind.CLAIM, claim.key(), claim.meta().uid(), 0);
      fixture.run();
      assertThat(fixture.storage.claims()).extracting(Claim::key).containsExactly(foreign.key());
    }
  }

  @Test
  void population_claimBoundMeanwhile_keepsThatVolume() throws Exception {
    try (PopulationFixture fixture = new PopulationFixture(root)) {
      givenPage(fixture);
      fixture.step();
      fixture.cluster.put(
          Kind.CLAIM,
          TestObjects.like(fixture.claim())
              .boundTo(
                  fixture.cluster.put(
                      Kind.VOLUME, TestObjects.volume("own").claimRef(fixture.claim()).build()))
              .build());
      fixture.run();
      assertThat(fixture.claim().volumeName()).isEqualTo("own");
      assertThat(fixture.claim().meta().finalizers()).isEmpty();
      assertThat(fixture.storage.volumes())
          .extracting(volume -> volume.meta().name())
          .containsExactly("own");
      assertThat(fixture.events()).doesNotContain("PopulatorFinished");
    }
  }
}
