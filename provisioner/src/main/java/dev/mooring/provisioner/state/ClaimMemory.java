package dev.mooring.provisioner.state;

import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;

/** What the process remembers about the claims of one storage. Thread-safe. */
public final class ClaimMemory {
  private final UnfinishedCalls calls = new UnfinishedCalls();
  private final NoteOwners notes = new NoteOwners();
  private final InfeasibleRequests infeasible;
  private final ReportedNotes<Uid> failures = new ReportedNotes<>();

  /**
   * Creates an empty memory.
   *
   * @param slowness time until an infeasible request is repeated
   */
  public ClaimMemory(Duration slowness, Time time) {
    this.infeasible = new InfeasibleRequests(slowness, time);
  }

  public UnfinishedCalls calls() {
    return calls;
  }

  public NoteOwners notes() {
    return notes;
  }

  public InfeasibleRequests infeasible() {
    return infeasible;
  }

  public ReportedNotes<Uid> failures() {
    return failures;
  }

  public void forget(Uid claim) {
    calls.forget(claim);
    notes.forget(claim);
    infeasible.forget(claim);
    failures.forget(claim);
  }
}
