/* The four strategies of the bench written straight down in C, to be as fast as such code gets:
   no tables, no generality, the house's rules in the branches. Same dice (Philox4x32-10, five rolls
   of 36 a word), same figures for each session: net, rolls, seven-outs, ending, drawdown, staked. */
#include <stdint.h>

#define OUT(n) out[(n) * count + s]
static const uint32_t LEAST = 1868800u;

static inline void philox(uint64_t seed, uint64_t session, uint32_t block, uint32_t attempt,
                          uint32_t w[4]) {
    uint32_t a0 = block, a1 = attempt, a2 = (uint32_t)session, a3 = (uint32_t)(session >> 32);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int i = 0; i < 10; i++) {
        uint64_t p0 = 0xD2511F53ull * a0, p1 = 0xCD9E8D57ull * a2;
        a0 = (uint32_t)(p1 >> 32) ^ a1 ^ k0;
        a2 = (uint32_t)(p0 >> 32) ^ a3 ^ k1;
        a1 = (uint32_t)p1;
        a3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    w[0] = a0; w[1] = a1; w[2] = a2; w[3] = a3;
}

static inline uint32_t split(uint32_t w, uint8_t *r) {
    for (int i = 0; i < 5; i++) {
        uint64_t m = 36ull * w;
        r[i] = (uint8_t)(m >> 32);
        w = (uint32_t)m;
    }
    return w;
}

static inline void fill(uint64_t seed, uint64_t session, uint32_t block, uint8_t *r) {
    uint32_t w[4];
    philox(seed, session, block, 0, w);
    for (int i = 0; i < 4; i++) {
        uint32_t attempt = 0;
        while (__builtin_expect(split(w[i], r + 5 * i) < LEAST, 0)) {
            uint32_t again[4];
            philox(seed, session, block, ++attempt, again);
            w[i] = again[i];
        }
    }
}

static uint8_t TOTAL[36], PAIR[36];
static const int WIN[13] = {0, 0, 0, 0, 40, 30, 24, 0, 24, 30, 40, 0, 0}; /* odds of 20 */

void prepare(void) {
    for (int i = 0; i < 36; i++) {
        TOTAL[i] = (uint8_t)(i / 6 + i % 6 + 2);
        PAIR[i] = i / 6 == i % 6;
    }
}

#define BEGIN                                                                                     \
    for (int64_t s = 0; s < count; s++) {                                                         \
        int rail = bankroll, high = bankroll, deep = 0, staked = 0, sevens = 0, ending = 0;       \
        int r = 0, puck = 0, worth = bankroll, at = 20, block = 0;                                \
        uint8_t rolls[20];
#define ROLL                                                                                      \
    if (at == 20) { fill(seed, first + s, (uint32_t)block++, rolls); at = 0; }                    \
    int roll = rolls[at++], t = TOTAL[roll];                                                      \
    r++;
#define AFTER                                                                                     \
    if (worth > high) high = worth;                                                               \
    else if (high - worth > deep) deep = high - worth;
#define END                                                                                       \
    OUT(0) = worth - bankroll;                                                                    \
    OUT(1) = r; OUT(2) = sevens; OUT(3) = ending; OUT(4) = deep; OUT(5) = staked;                 \
    }

void pass_line(uint64_t seed, uint64_t first, int64_t count, int most, int bankroll, int64_t *out) {
    BEGIN
    int up = 0;
    while (r < most) {
        if (!up) {
            if (rail < 10) { ending = 4; break; }
            rail -= 10; staked += 10; up = 10;
        }
        ROLL
        if (!puck) {
            if (t == 7 || t == 11) { rail += 20; up = 0; }
            else if (t < 4 || t == 12) up = 0;
            else puck = t;
        } else if (t == puck) { rail += 20; up = 0; puck = 0; }
        else if (t == 7) { up = 0; puck = 0; sevens++; }
        worth = rail + up;
        AFTER
    }
    END
}

void pass_odds(uint64_t seed, uint64_t first, int64_t count, int most, int bankroll, int64_t *out) {
    BEGIN
    int up = 0, odds = 0;
    while (r < most) {
        if (!up) {
            if (!puck && rail >= 10) { rail -= 10; staked += 10; up = 10; }
            else { ending = 4; break; }
        }
        if (puck && !odds && rail >= 20) { rail -= 20; staked += 20; odds = 20; }
        ROLL
        if (!puck) {
            if (t == 7 || t == 11) { rail += 20; up = 0; }
            else if (t < 4 || t == 12) up = 0;
            else puck = t;
        } else if (t == puck) {
            rail += 20 + (odds ? 20 + WIN[t] : 0); up = odds = 0; puck = 0;
        } else if (t == 7) { up = odds = 0; puck = 0; sevens++; }
        worth = rail + up + odds;
        AFTER
    }
    END
}

void molly(uint64_t seed, uint64_t first, int64_t count, int most, int bankroll, int64_t *out) {
    BEGIN
    int up = 0, odds = 0, area = 0;
    unsigned comes = 0, backed = 0; /* bits by number */
    int travelled = 0, behind = 0;
    while (r < most) {
        int poor = 0;
        if (!puck) {
            if (!up) { if (rail >= 10) { rail -= 10; staked += 10; up = 10; } else poor = 1; }
        } else if (!area && travelled < 2) {
            if (rail >= 10) { rail -= 10; staked += 10; area = 10; } else poor = 1;
        }
        if (puck && up && !odds) {
            if (rail >= 20) { rail -= 20; staked += 20; odds = 20; } else poor = 1;
        }
        for (unsigned bare = comes & ~backed; bare; bare &= bare - 1) {
            if (rail >= 20) { rail -= 20; staked += 20; backed |= bare & -bare; behind++; }
            else { poor = 1; break; }
        }
        if (poor && !up && !area && !comes) { ending = 4; worth = rail; break; }
        ROLL
        unsigned bit = 1u << t;
        if (t == 7) {
            if (area) { rail += 20; area = 0; }
            comes = backed = 0; travelled = behind = 0;
            if (puck) { up = odds = 0; puck = 0; sevens++; }
            else if (up) { rail += 20; up = 0; }
        } else {
            if (comes & bit) {
                rail += 20; comes ^= bit; travelled--;
                if (backed & bit) { rail += 20 + WIN[t]; backed ^= bit; behind--; }
            }
            if (area) {
                area = 0;
                if (t == 11) rail += 20;
                else if (t > 3 && t != 12) { comes |= bit; travelled++; }
            }
            if (!puck) {
                if (t == 11) { if (up) rail += 20; up = 0; }
                else if (t < 4 || t == 12) up = 0;
                else puck = t;
            } else if (t == puck) {
                if (up) rail += 20 + (odds ? 20 + WIN[t] : 0);
                up = odds = 0; puck = 0;
            }
        }
        worth = rail + up + odds + area + 10 * travelled + 20 * behind;
        AFTER
    }
    END
}

void mix(uint64_t seed, uint64_t first, int64_t count, int most, int bankroll, int64_t *out) {
    BEGIN
    int six = 0, eight = 0, h4 = 0, h6 = 0, h8 = 0, h10 = 0, field = 0;
#define MAKE(x, n) if (!x) { if (rail >= n) { rail -= n; staked += n; x = n; } else poor = 1; }
    while (r < most) {
        int poor = 0;
        if (puck) { MAKE(six, 12) MAKE(eight, 12) }
        MAKE(h4, 5) MAKE(h6, 5) MAKE(h8, 5) MAKE(h10, 5) MAKE(field, 5)
        if (poor && !(six | eight | h4 | h6 | h8 | h10 | field)) { ending = 4; worth = rail; break; }
        ROLL
        if (field) {
            if (t == 2 || t == 12) rail += 15;
            else if (t < 5 || t > 8) rail += 10;
            field = 0;
        }
        if (puck) {
            switch (t) {
            case 4: if (h4) { if (PAIR[roll]) rail += 40; h4 = 0; } break;
            case 6: if (h6) { if (PAIR[roll]) rail += 50; h6 = 0; }
                    if (six) { rail += 26; six = 0; } break;
            case 8: if (h8) { if (PAIR[roll]) rail += 50; h8 = 0; }
                    if (eight) { rail += 26; eight = 0; } break;
            case 10: if (h10) { if (PAIR[roll]) rail += 40; h10 = 0; } break;
            case 7: six = eight = h4 = h6 = h8 = h10 = 0; sevens++; puck = 0; break;
            }
            if (t == puck) puck = 0;
        } else if (t > 3 && t < 11 && t != 7) puck = t;
        worth = rail + six + eight + h4 + h6 + h8 + h10 + field;
        AFTER
    }
    END
}
