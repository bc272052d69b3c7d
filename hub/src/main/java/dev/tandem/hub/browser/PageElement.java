package dev.tandem.hub.browser;

/** What a ref stands for, in the page's own words: nobody vouches for them. */
public record PageElement(String role, String name) {
    public static final PageElement NONE = new PageElement("", "");
}
