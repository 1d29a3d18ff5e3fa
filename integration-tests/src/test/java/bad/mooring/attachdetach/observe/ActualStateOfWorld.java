package bad.mooring.attachdetach.observe;

/** R14: readers can write. */
public interface ActualStateOfWorld {
  /** Writes. */
  void attached(String volume);
}
