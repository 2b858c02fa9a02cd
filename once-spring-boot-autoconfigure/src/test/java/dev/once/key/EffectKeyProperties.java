package dev.once.key;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import static org.assertj.core.api.Assertions.assertThat;

class EffectKeyProperties {

	private final EffectKeys keys = new EffectKeys(null);

	@Property
	void movingABoundaryBetweenPartsGivesAnotherKey(@ForAll String one, @ForAll String other) {
		String whole = this.keys.identity("charge").target("a", one + other).target("b", "").build().key();
		String split = this.keys.identity("charge").target("a", one).target("b", other).build().key();
		assertThat(split.equals(whole)).isEqualTo(other.isEmpty());
	}

}
