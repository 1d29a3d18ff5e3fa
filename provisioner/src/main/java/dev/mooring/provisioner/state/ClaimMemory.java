package dev.mooring.provisioner.state;

import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;

/** What the process remembers about the claims of one storage. Thread-safe. */
public final class ClaimMemory {
  private final UnfinishedCalls unfinishedCalls = new UnfinishedCalls();
  private final NoteOwners noteOwners = new NoteOwners();
  private final InfeasibleRequests infeasibleRequests;
  private final FailedAttempts failedAttempts;
  private final ReportedNotes<Uid> failures = new ReportedNotes<>();

  /**
   * Creates an empty memory.
   *
   * @param infeasiblePause time until an infeasible request is repeated
   * @param threshold number of retries of failed attempts; 0 = unlimited
   */
  public ClaimMemory(Duration infeasiblePause, int threshold, Time time) {
    this.infeasibleRequests = new InfeasibleRequests(infeasiblePause, time);
    this.failedAttempts = new FailedAttempts(threshold);
  }

  public UnfinishedCalls unfinishedCalls() {
    return unfinishedCalls;
  }

  public NoteOwners noteOwners() {
    return noteOwners;
  }

  public InfeasibleRequests infeasibleRequests() {
    return infeasibleRequests;
  }

  public FailedAttempts failedAttempts() {
    return failedAttempts;
  }

  public ReportedNotes<Uid> failures() {
    return failures;
  }

  public void forget(Uid claim) {
    unfinishedCalls.forget(claim);
    noteOwners.forget(claim);
    infeasibleRequests.forget(claim);
    failedAttempts.forget(claim);
    failures.forget(claim);
  }
}
