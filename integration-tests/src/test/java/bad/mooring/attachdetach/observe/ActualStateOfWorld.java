package bad.mooring.attachdetach.observe;

/** R14: exposes a write method to readers. */
public interface ActualStateOfWorld {
  void attached(String volume);
}
