package bad.mooring.model;

/** R14: mutable while a decision reads it. */
public final class BadClaim {
  private String volume = "";

  public String volume() {
    return volume;
  }

  public void bind(String name) {
    volume = name;
  }
}
