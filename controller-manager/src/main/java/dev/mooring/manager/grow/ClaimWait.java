package dev.mooring.manager.grow;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Requests the size of claims and waits until each has it. A claim starts when fewer than {@link
 * Pace#parallel} claims grow.
 */
record ClaimWait(
    GrowthPorts ports, GrowthRequest request, Time time, Pace pace, Consumer<String> output) {

  void grow(List<Claim> claims) throws GrowthStoppedException, InterruptedException {
    Queue<Claim> waiting = new ArrayDeque<>(claims);
    List<ClaimProgress> growing = new ArrayList<>();
    while (true) {
      while (!waiting.isEmpty() && growing.size() < pace.parallel()) {
        start(waiting.remove(), growing);
      }
      if (growing.isEmpty()) {
        return;
      }
      time.sleep(pace.pause());
      for (Iterator<ClaimProgress> iterator = growing.iterator(); iterator.hasNext(); ) {
        ClaimProgress progress = iterator.next();
        if (!readAgain(progress) || advance(progress)) {
          iterator.remove();
        }
      }
    }
  }

  // The claim may have changed since the plan, because earlier claims grew first.
  private void start(Claim planned, List<ClaimProgress> growing)
      throws GrowthStoppedException, InterruptedException {
    ClaimProgress progress = new ClaimProgress(planned, time.nanos());
    if (readAgain(progress) && !advance(progress)) {
      growing.add(progress);
    }
  }

  private boolean readAgain(ClaimProgress progress) throws InterruptedException {
    switch (ports.reader().read(Kind.CLAIM, progress.first().key())) {
      case ReadResult.Found<Claim>(Claim claim) -> progress.setCurrent(claim);
      case ReadResult.Failed<Claim>(String message) -> progress.setCause(message);
      case ReadResult.Absent<Claim> _ -> {
        return false; // the next plan is without it
      }
    }
    return true;
  }

  private boolean advance(ClaimProgress progress)
      throws GrowthStoppedException, InterruptedException {
    Claim claim = progress.current();
    ClaimGrowth growth = new ClaimGrowth(claim, request.size());
    Optional<String> problem = growth.problem(Map.of());
    if (problem.isPresent()) {
      throw new GrowthStoppedException(problem.get());
    }
    Duration elapsed = Duration.ofNanos(time.nanos() - progress.startNanos());
    switch (growth.state()) {
      case GROWN -> {
        report(progress.first(), "grown from %s to %s in %s", elapsed);
        return true;
      }
      case NODE_PENDING -> {
        report(
            progress.first(),
            "volume grown from %s to %s in %s; the kubelet grows the file system when a pod uses the claim",
            elapsed);
        return true;
      }
      case UNREQUESTED -> progress.setCause(requestSize(claim));
      case GROWING -> progress.setCause("it has " + claim.status().storage());
    }
    if (elapsed.compareTo(pace.timeout()) > 0) {
      throw timedOut(claim.key(), elapsed, progress.cause());
    }
    return false;
  }

  private void report(Claim first, String text, Duration elapsed) {
    output.accept(
        "claim "
            + first.key().name()
            + ": "
            + text.formatted(
                first.status().storage(), request.size(), GrowthText.elapsed(elapsed)));
  }

  private String requestSize(Claim claim) throws GrowthStoppedException, InterruptedException {
    WriteResult<Claim> result =
        ports
            .writer()
            .patch(
                Kind.CLAIM,
                claim.key(),
                Document.patchOf(claim.meta())
                    .set(request.size().toString(), "spec", "resources", "requests", "storage"));
    if (result instanceof WriteResult.Rejected<Claim>(int code, String message)) {
      throw new GrowthStoppedException(
          "the API server refuses %s for claim %s (%s): %s"
              .formatted(request.size(), claim.key(), code, message));
    }
    return "the request: " + result;
  }

  private GrowthStoppedException timedOut(ObjectKey key, Duration elapsed, String cause) {
    return new GrowthStoppedException(
        "claim %s does not have %s after %s (%s): 'mooring explain pvc/%s -n %s' shows the cause; run the command again to continue"
            .formatted(
                key,
                request.size(),
                GrowthText.elapsed(elapsed),
                cause,
                key.name(),
                key.namespace()));
  }
}
