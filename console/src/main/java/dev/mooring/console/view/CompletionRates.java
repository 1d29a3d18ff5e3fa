package dev.mooring.console.view;

import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Rates of completed operations since the console started, by any controller: they are derived from
 * changes of objects. Thread-safe; event handlers only count.
 */
public final class CompletionRates {
  private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
  private static final long SLOT = Duration.ofSeconds(10).toNanos();
  private static final int SLOTS_OF_MINUTE = 6;
  private static final int MINUTES = 10;
  private static final int SLOTS = SLOTS_OF_MINUTE * MINUTES;

  public enum Event {
    BOUND("bound", "Claims bound"),
    PROVISIONED("provisioned", "Volumes provisioned"),
    ATTACHED("attached", "Volumes attached");

    private final String token;
    private final String title;

    Event(String token, String title) {
      this.token = token;
      this.title = title;
    }

    public String token() {
      return token;
    }

    public String title() {
      return title;
    }
  }

  /**
   * @param lastMinute operations of the last minute, accurate to ten seconds
   * @param lastMinutes operations of the last ten minutes
   */
  public record Rate(int lastMinute, int lastTenMinutes) {}

  private static final class Slots {
    private final int[] counts = new int[SLOTS];
    private long newest;

    void advanceTo(long slot) {
      if (slot - newest >= SLOTS) {
        Arrays.fill(counts, 0);
      } else {
        for (long skipped = newest + 1; skipped <= slot; skipped++) {
          counts[(int) (skipped % SLOTS)] = 0;
        }
      }
      newest = Math.max(newest, slot);
    }

    int sumLast(int slots) {
      int sum = 0;
      for (int i = 0; i < slots; i++) {
        sum += counts[(int) Math.floorMod(newest - i, (long) SLOTS)];
      }
      return sum;
    }
  }

  private final Time time;
  private final long start;
  private final Map<Event, Slots> slots = new EnumMap<>(Event.class);

  public CompletionRates(Time time) {
    this.time = time;
    this.start = time.nanos();
    for (Event event : Event.values()) {
      slots.put(event, new Slots());
    }
  }

  private synchronized Slots currentSlots(Event event) {
    Slots eventSlots = Objects.requireNonNull(slots.get(event));
    eventSlots.advanceTo((time.nanos() - start) / SLOT);
    return eventSlots;
  }

  private synchronized void count(Event event) {
    Slots eventSlots = currentSlots(event);
    eventSlots.counts[(int) (eventSlots.newest % SLOTS)]++;
  }

  public void claimChanged(Change<Claim> change) {
    if (change instanceof Change.Updated<Claim>(Claim old, Claim current)
        && old.phase() != ClaimPhase.BOUND
        && current.phase() == ClaimPhase.BOUND) {
      count(Event.BOUND);
    }
  }

  public void volumeChanged(Change<Volume> change, boolean isSynced) {
    if (isSynced
        && change instanceof Change.Added<Volume>(Volume volume)
        && volume.meta().hasAnnotation(PROVISIONED_BY)) {
      count(Event.PROVISIONED);
    }
  }

  public void attachmentChanged(Change<Attachment> change) {
    if (change instanceof Change.Updated<Attachment>(Attachment old, Attachment current)
        && !old.attached()
        && current.attached()) {
      count(Event.ATTACHED);
    }
  }

  public synchronized Map<Event, Rate> read() {
    Map<Event, Rate> rates = new EnumMap<>(Event.class);
    for (Event event : Event.values()) {
      Slots eventSlots = currentSlots(event);
      rates.put(event, new Rate(eventSlots.sumLast(SLOTS_OF_MINUTE), eventSlots.sumLast(SLOTS)));
    }
    return rates;
  }
}
