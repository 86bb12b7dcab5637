"""밸브 예약을 실행 순서로 바꾼다.

예약은 밸브마다 여섯 개까지이고, 같은 시각에 겹치면 밸브 번호가 작은 것부터 차례로 실행한다.
펌프의 수압 때문에 밸브 두 개를 한꺼번에 열지 않는다.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_SCHEDULES_PER_VALVE = 6
# 비 오는 날 건너뛰기: 강수 확률이 이보다 높으면 물을 주지 않는다.
RAIN_SKIP_PERCENT = 60
# 밸브를 닫고 다음 밸브를 열기 전에 기다리는 시간. 수격 현상을 막는다.
SETTLE_SECONDS = 4


class TooManySchedules(ValueError):
    """한 밸브에 예약이 너무 많다."""


@dataclass(frozen=True)
class Schedule:
    valve: int
    starts_at: datetime
    minutes: int


def run_order(schedules: list[Schedule]) -> list[tuple[datetime, Schedule]]:
    """실제로 여는 시각과 함께 실행 순서를 돌려준다.

    앞의 예약이 끝나지 않았으면 뒤의 예약은 그만큼 밀린다. 밀린 예약도 자기 몫의 시간을 모두 쓴다.
    """
    check_counts(schedules)
    order = []
    free_at = datetime.min
    for schedule in sorted(schedules, key=lambda s: (s.starts_at, s.valve)):
        opens_at = max(schedule.starts_at, free_at)
        order.append((opens_at, schedule))
        free_at = opens_at + timedelta(minutes=schedule.minutes, seconds=SETTLE_SECONDS)
    return order


def check_counts(schedules: list[Schedule]) -> None:
    counts: dict[int, int] = {}
    for schedule in schedules:
        counts[schedule.valve] = counts.get(schedule.valve, 0) + 1
    for valve, count in counts.items():
        if count > MAX_SCHEDULES_PER_VALVE:
            raise TooManySchedules(f"{valve}번 밸브에 예약이 {count}개 있습니다")


def skips_for_rain(rain_percent: int, soil_moisture: float | None, wet_enough: float) -> bool:
    """비가 올 것 같거나 흙이 이미 젖어 있으면 참. 센서가 없으면 예보만 본다."""
    if rain_percent > RAIN_SKIP_PERCENT:
        return True
    return soil_moisture is not None and soil_moisture >= wet_enough
